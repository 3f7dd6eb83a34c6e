import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { integer, items, text, texts } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, firstThree, textUnlessNull, UNSET } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printEndpointSlice. */
export const endpointSlice: TablePrinter = {
  columns: named(
    column('AddressType', 'What sort of addresses the slice has.'),
    column('Ports', 'The ports of each endpoint.'),
    column('Endpoints', 'The addresses of the endpoints.'),
  ),
  cells: (object, now) => [
    nameOf(object),
    text(object, 'addressType'),
    firstThree(items(object, 'ports').map(portText)) || UNSET,
    firstThree(items(object, 'endpoints').flatMap((endpoint) => texts(endpoint, 'addresses'))) || UNSET,
    age(object, now),
  ],
};

const portText = (port: JsonObject): string => String(integer(port, 'port') ?? textUnlessNull(port, 'name', '*'));
