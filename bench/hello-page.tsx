import { createRoot } from "react-dom/client";

// Baseline page: the rendering library and one line
const root = document.getElementById("root");
if (root) createRoot(root).render(<h1>Hello, world</h1>);
