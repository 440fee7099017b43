/**
 * Expression that commits its own statement without waiting for the disk. Only for what a database that crashes within
 * the next moments may forget: what was committed otherwise, before or after it, is durable as ever.
 */
export const WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true)";
