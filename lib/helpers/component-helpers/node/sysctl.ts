/** A kernel namespace with its own settings. */
export type SysctlNamespace = 'IPC' | 'Net';

const IPC = new Set(
  ['sem', 'shmall', 'shmmax', 'shmmni', 'shm_rmid_forced', 'shm', 'msgmax', 'msgmnb', 'msgmni', 'msg'].map(
    (name) => `kernel.${name}`,
  ),
);

/** Converts a kernel setting to the notation with dots: `net/ipv4/conf/eno2.100/rp_filter` becomes `net.ipv4.conf.eno2/100.rp_filter`. */
export function normalizeSysctl(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  return first === '/' ? name.replace(/[./]/g, (one) => (one === '.' ? '/' : '.')) : name;
}

/** The namespace of a setting, or of the part of a pattern before its `*`. Undefined if it is not namespaced. */
export function sysctlNamespace(name: string): SysctlNamespace | undefined {
  const normal = normalizeSysctl(name);
  if (IPC.has(normal) || normal.startsWith('fs.mqueue.')) return 'IPC';
  return normal.startsWith('net.') ? 'Net' : undefined;
}
