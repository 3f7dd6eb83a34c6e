export { eventually } from '#local/eventually.ts';
export { readManifests } from '#local/manifests.ts';
export { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
export type { StartOptions } from '#local/start-options.ts';
