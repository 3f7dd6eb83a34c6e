import type { EndpointPort, EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, firstThree, UNSET } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printEndpointSlice. */
export const endpointSlice: TablePrinter<EndpointSlice> = {
  columns: named(
    column('AddressType', 'What sort of addresses the slice has.'),
    column('Ports', 'The ports of each endpoint.'),
    column('Endpoints', 'The addresses of the endpoints.'),
  ),
  cells: (object, now) => [
    nameOf(object),
    object.addressType,
    firstThree((object.ports ?? []).map(portText)) || UNSET,
    firstThree((object.endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])) || UNSET,
    age(object, now),
  ],
};

const portText = ({ port, name }: EndpointPort): string => String(port ?? name ?? '*');
