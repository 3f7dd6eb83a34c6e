import { bundleOnce } from './bundle-once.ts';

/*
 * Bundles the local server for `npm start`. Modules that load a user's own stay outside (`#local/run/…`, worker threads), so that they
 * and this program share one copy of `@davit-dev/davit/controller`.
 */
await bundleOnce({ entry: 'local/main.ts', folder: 'build' });
