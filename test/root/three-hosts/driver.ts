import { FolderDriver } from '../csi/driver.ts';

/** Serves the folder driver on the host that this process runs on, until it is killed. */
await FolderDriver.start();
console.log('ready');
