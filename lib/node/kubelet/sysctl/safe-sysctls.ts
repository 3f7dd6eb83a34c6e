/** Kernel settings that only affect their own pod, with the first Linux version for which that is true. */
const SAFE: readonly (readonly [string, readonly number[]])[] = [
  ['kernel.shm_rmid_forced', []],
  ['net.ipv4.ip_local_port_range', []],
  ['net.ipv4.tcp_syncookies', []],
  ['net.ipv4.ping_group_range', []],
  ['net.ipv4.ip_unprivileged_port_start', []],
  ['net.ipv4.ip_local_reserved_ports', [3, 16]],
  ['net.ipv4.tcp_keepalive_time', [4, 5]],
  ['net.ipv4.tcp_fin_timeout', [4, 6]],
  ['net.ipv4.tcp_keepalive_intvl', [4, 5]],
  ['net.ipv4.tcp_keepalive_probes', [4, 5]],
  ['net.ipv4.tcp_rmem', [4, 15]],
  ['net.ipv4.tcp_wmem', [4, 15]],
];

/**
 * The settings that every pod may make. `kernelVersion` is the output of `uname -r`. For an unknown kernel, returns those of all kernels.
 */
export function safeSysctls(kernelVersion: string): string[] {
  const [major = 0, minor = 0] = (/^\d+\.\d+/.exec(kernelVersion)?.[0] ?? '').split('.').map(Number);
  return SAFE.flatMap(([name, [least = 0, leastMinor = 0]]) =>
    major > least || (major === least && minor >= leastMinor) ? [name] : [],
  );
}
