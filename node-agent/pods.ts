// INTEGRATOR'S NOTE (delete this file, do not commit it): main already composes the agent (node-agent/pods.ts, node-agent/ports/*).
// Do not write the composition. Finish sources, recorder, pod cleanups, then review everything for faults against upstream.
