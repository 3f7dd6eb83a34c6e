import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder for FlexVolume drivers on the test's node. */
export const DRIVERS = '/run/flexvolume';
const LOG = '/run/flexvolume.log';

/** A driver without attachment. It mounts a file system in memory with a file for each pod. */
export const SIMPLE = `
case $1 in
  init) say Success '"capabilities": {"attach": false}' ;;
  mount) mount -t tmpfs none "$2" && echo hello > "$2/file" && hang mount && say Success ;;
  unmount) umount "$2" 2> /dev/null; hang unmount; say Success ;;
  *) say 'Not supported' ;;
esac`;

/** A driver with attachment: the pods of a node share a file system in memory. */
export const ATTACHING = `
case $1 in
  init) say Success '"capabilities": {"attach": true}' ;;
  attach) hang attach; say Success '"device": "foo"' ;;
  waitforattach) [ "$2" = foo ] && say Success '"device": "foo"' ;;
  isattached) say Success '"attached": true' ;;
  mountdevice) [ "$3" = foo ] && mount -t tmpfs none "$2" && hang mountdevice && say Success ;;
  unmountdevice) umount "$2"; hang unmountdevice; say Success ;;
  detach) hang detach; say Success ;;
  *) say 'Not supported' ;;
esac`;

/** Installs a driver, or another program instead. It records each call. `hang CALL` blocks while `/run/flex-hang` names the call. */
export function install(folder: string, script: string): void {
  const name = folder.split('~').at(-1) ?? folder;
  mkdirSync(join(DRIVERS, folder), { recursive: true });
  const path = join(DRIVERS, folder, `.${name}`);
  const start = `#!/bin/sh
echo "${name} $*" >> ${LOG}
say() { echo "{\\"status\\": \\"$1\\"\${2:+, $2}}"; }
hang() { while [ "$(cat /run/flex-hang 2> /dev/null)" = "$1" ]; do sleep 0.2; done; }
`;
  writeFileSync(path, start + script, { mode: 0o755 });
  renameSync(path, join(DRIVERS, folder, name));
}

/** Removes a driver. */
export const uninstall = (folder: string): void => rmSync(join(DRIVERS, folder), { recursive: true });

/** Makes calls with this name hang. Without a name, no call hangs. */
export const hangIn = (call = ''): void => writeFileSync('/run/flex-hang', call);

/** The calls since the last query, each with its driver's name. */
export function calls(): string[] {
  return existsSync(LOG) ? readFileSync(LOG, 'utf8').trim().split('\n') : [];
}

/** Forgets the calls. */
export const forget = (): void => rmSync(LOG, { force: true });
