import { createRoot } from "react-dom/client";

// The least a page of this kind can be: the library that draws, and one line
const root = document.getElementById("root");
if (root) createRoot(root).render(<h1>Hello, world</h1>);
