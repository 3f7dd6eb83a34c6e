import type { Check, CheckPod } from '../check.ts';

const FIRST: readonly string[] = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const IN_27 = [...FIRST, 'net.ipv4.ip_local_reserved_ports'];
const IN_29 = [
  ...IN_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const IN_32 = [...IN_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

const only =
  (allowed: readonly string[]): CheckPod =>
  ({ spec }) => {
    const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name);
    const bad = names.filter((name) => !allowed.includes(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };

/** Allows only sysctls that have no effect outside the pod. */
export const sysctls: Check = {
  id: 'sysctls',
  versions: [
    { since: 0, check: only(FIRST) },
    { since: 27, check: only(IN_27) },
    { since: 29, check: only(IN_29) },
    { since: 32, check: only(IN_32) },
  ],
};
