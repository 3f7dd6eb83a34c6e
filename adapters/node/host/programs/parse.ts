import type { HostNetwork } from '#lib/node/kubelet/host.ts';

type DefaultRoutes = NonNullable<HostNetwork['defaultRoutes']>;

/** A field of /proc/meminfo in bytes. Throws if it is missing. */
export function memoryField(meminfo: string, field: string): number {
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1];
  if (kib === undefined) throw new Error(`/proc/meminfo has no ${field}`);
  return Number(kib) * 1024;
}

/** PRETTY_NAME of os-release, or `Linux` if it is missing. */
export const prettyName = (release: string): string =>
  /PRETTY_NAME=(.*)/.exec(release)?.[1]?.replace(/^"+|"+$/g, '') ?? 'Linux';

/** Interfaces of default routes in /proc/net/route. */
export function defaultRoutes4(table: string): DefaultRoutes {
  const rows = table
    .split('\n')
    .slice(1)
    .map((line) => line.split(/\s+/));
  const wanted = rows.filter(([, destination, , , , , , mask]) => destination === '00000000' && mask === '00000000');
  return wanted.map(([name = '']) => ({ interface: name, family: 4 }));
}

/** Interfaces of default routes in /proc/net/ipv6_route. Routes on the loopback interface do not count, because they reject packets. */
export function defaultRoutes6(table: string): DefaultRoutes {
  const zero = '0'.repeat(32);
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  const wanted = rows.filter(
    ([destination, length, , , nextHop]) => destination === zero && length === '00' && nextHop !== zero,
  );
  return wanted.flatMap((row) => (row[9] === undefined || row[9] === 'lo' ? [] : [{ interface: row[9], family: 6 }]));
}
