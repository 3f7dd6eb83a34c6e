import type { EndpointSubset, Endpoints } from '#lib/api/types/core.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, firstThree, NONE } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printEndpoints. */
export const endpoints: TablePrinter<Endpoints> = {
  columns: named(column('Endpoints', 'The addresses and ports that are ready.')),
  cells: (object, now) => [nameOf(object), endpointsText(object.subsets), age(object, now)],
};

const endpointsText = (subsets: readonly EndpointSubset[] = []): string =>
  subsets.length === 0 ? NONE : firstThree(subsets.flatMap(subsetTexts));

/** Each address with each port, or only the addresses if there are no ports. */
function subsetTexts({ addresses = [], ports = [] }: EndpointSubset): string[] {
  const hosts = addresses.map(({ ip }) => ip);
  if (ports.length === 0) return hosts;
  return ports.flatMap(({ port }) => hosts.map((host) => joinHostPort(host, port)));
}
