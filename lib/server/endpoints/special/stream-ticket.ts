import { badRequest } from '#lib/machinery/errors.ts';
import type { SpentTicket, StreamAsked, StreamOffice } from '#lib/server/channel/gateway/stream-office.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { ApiResponse } from '../api.ts';

/** The query parameter with which a client requests a ticket to a stream, and then its route, instead of the stream. */
export const STREAM_PARAMETER = 'davit-stream';
/** The values of the parameter. */
export const TICKET = 'ticket';
export const ROUTES = 'routes';
/** The headers of a request for the route: the ticket, the client's connection to the gateway, and the id of the stream. */
export const TICKET_HEADER = 'davit-stream-ticket';
export const CONNECTION_HEADER = 'davit-stream-connection';
export const STREAM_HEADER = 'davit-stream-id';
/** Ids are 48 bits. */
const MAX_STREAM = 2 ** 48 - 1;

/** Whether a client requests a ticket or a route instead of the stream itself. */
export const asksForTicket = ({ query }: ApiRequest): boolean => query.has(STREAM_PARAMETER);

/**
 * Responds to a request for a ticket or a route, which is already authorized and admitted. Throws 400 if a header is missing, and rethrows
 * the errors of the office.
 */
export async function ticketAnswer(
  office: StreamOffice,
  request: ApiRequest,
  asked: StreamAsked,
): Promise<ApiResponse> {
  const step = request.query.get(STREAM_PARAMETER);
  if (step !== TICKET && step !== ROUTES) throw badRequest(`${STREAM_PARAMETER} is ${TICKET} or ${ROUTES}`);
  const answer = step === TICKET ? await office.ticket(asked) : await office.routes(asked, spentTicket(request));
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status: 200, headers, body: JSON.stringify(answer) };
}

function spentTicket({ headers }: ApiRequest): SpentTicket {
  const { [TICKET_HEADER]: ticket = '', [CONNECTION_HEADER]: connection = '', [STREAM_HEADER]: id = '' } = headers;
  const stream = /^\d{1,15}$/.test(id) ? Number(id) : -1;
  if (ticket === '' || connection === '' || stream < 0 || stream > MAX_STREAM)
    throw badRequest(`the headers ${TICKET_HEADER}, ${CONNECTION_HEADER} and ${STREAM_HEADER} are needed`);
  return { ticket, connection, stream };
}
