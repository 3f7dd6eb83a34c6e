import { arrayAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { count, items, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, firstThree, NONE } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printEndpoints. */
export const endpoints: TablePrinter = {
  columns: named(column('Endpoints', 'The addresses and ports that are ready.')),
  cells: (object, now) => [nameOf(object), endpointsText(object), age(object, now)],
};

const endpointsText = (object: JsonObject): string =>
  arrayAt(object, 'subsets').length === 0 ? NONE : firstThree(items(object, 'subsets').flatMap(subsetTexts));

/** Each port's addresses; the addresses alone where there are no ports. */
function subsetTexts(subset: JsonObject): string[] {
  const addresses = items(subset, 'addresses').map((address) => text(address, 'ip'));
  const ports = items(subset, 'ports');
  if (ports.length === 0) return addresses;
  return ports.flatMap((port) => addresses.map((address) => joinHostPort(address, String(count(port, 'port')))));
}

const joinHostPort = (host: string, port: string): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
