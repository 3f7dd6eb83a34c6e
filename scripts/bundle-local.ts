import { bundleOnce } from './bundle-once.ts';

/*
 * Bundles the local server for `npm start`. Modules that load the user's modules stay outside (`#local/run/…`, worker threads). They then
 * share one copy of `@davit-dev/davit/controller` with the user's code.
 */
await bundleOnce({ entry: 'local/main.ts', folder: 'build' });
