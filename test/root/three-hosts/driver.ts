import { FolderDriver } from '../csi/driver.ts';

/** Serves the folder driver on the host of this process, until it is killed. */
await FolderDriver.start();
console.log('ready');
