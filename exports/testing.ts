export { eventually } from '#local/eventually.ts';
export { readManifests } from '#local/manifests.ts';
export { startApiserver, type RunningApiserver, type StartOptions } from '#local/start-apiserver.ts';
