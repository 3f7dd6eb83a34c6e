import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

/** Folders that containerd, its shims and the node agent use by fixed paths. Each is initially empty for a host, and removed at the end. */
export const FOLDERS = ['/run', '/var/log/pods', '/var/log/containers', '/var/lib/kubelet', '/var/lib/cni'];

/** The address of the host, which the server and the node share. */
export const HOST = '10.100.0.1';
/** Its IPv6 address. */
export const HOST6 = 'fd00:100::1';
/** The cgroup of the test file, because the machine's cgroups also contain those of other files. */
export const CGROUP = process.env['DAVIT_ROOT_CGROUP'] ?? '';
const NETWORK = [
  'link set lo up',
  'link add host0 type bridge',
  `addr add ${HOST}/24 dev host0`,
  `addr add ${HOST6}/64 dev host0 nodad`,
  'link set host0 up',
];

/** Prepares the namespaces that `namespaced-worker.ts` created: empty folders, loopback, and an address. Throws outside of them. */
export function setup(): void {
  if (process.env['DAVIT_ROOT_TESTS'] === undefined) throw new Error('these tests start by npm run test:root');
  for (const folder of FOLDERS) {
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=755', 'none', folder]);
  }
  execFileSync('mount', ['--make-rshared', '/var/lib/kubelet']);
  for (const command of NETWORK) execFileSync('ip', command.split(' '));
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
}
