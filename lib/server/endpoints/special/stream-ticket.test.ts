import { expect, test } from 'vitest';
import type { StreamAsked, StreamOffice } from '#lib/server/channel/gateway/stream-office.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { asksForTicket, ticketAnswer } from './stream-ticket.ts';

const ASKED: StreamAsked = {
  node: 'n1',
  port: 10_250,
  purpose: { verb: 'exec', podUID: 'u', container: 'c', user: 'jane' },
  path: '/exec/default/web/c?command=ls',
};
const spent: unknown[] = [];
const OFFICE: StreamOffice = {
  ticket: async ({ path }) => ({ ticket: 't', url: 'wss://x', session: 's', path, expires: 1, grantKey: 'k', time: 0 }),
  async routes(_, ticket) {
    spent.push(ticket);
    return { connection: 'c', agent: 'a', route: 'r', answer: 'b', grant: { grant: 'g' } };
  },
};

const aRequest = (query: string, headers: Record<string, string> = {}): ApiRequest => ({
  method: 'POST',
  path: '/api/v1/namespaces/default/pods/web/exec',
  query: new URLSearchParams(query),
  headers,
  body: async () => new Uint8Array(),
  signal: () => new AbortController().signal,
});
const HEADERS = { 'davit-stream-ticket': 't', 'davit-stream-connection': 'c', 'davit-stream-id': '281474976710655' };

test('detects a request for a ticket only by its query', () => {
  expect(asksForTicket(aRequest('command=ls'))).toBe(false);
  expect(asksForTicket(aRequest('command=ls&davit-stream=ticket'))).toBe(true);
});

test('returns a ticket that is never cached', async () => {
  const { status, headers, body } = await ticketAnswer(OFFICE, aRequest('davit-stream=ticket'), ASKED);
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(JSON.parse(String(body))).toMatchObject({ ticket: 't', path: ASKED.path });
});

test('returns the routes for the ticket, connection and stream in the headers', async () => {
  const { body } = await ticketAnswer(OFFICE, aRequest('davit-stream=routes', HEADERS), ASKED);
  expect(JSON.parse(String(body))).toMatchObject({ route: 'r', answer: 'b' });
  expect(spent).toEqual([{ ticket: 't', connection: 'c', stream: 2 ** 48 - 1 }]);
});

test.each<[string, Record<string, string>]>([
  ['davit-stream=', HEADERS],
  ['davit-stream=all', HEADERS],
  ['davit-stream=routes', {}],
  ['davit-stream=routes', { ...HEADERS, 'davit-stream-ticket': '' }],
  ['davit-stream=routes', { ...HEADERS, 'davit-stream-connection': '' }],
  ['davit-stream=routes', { ...HEADERS, 'davit-stream-id': '281474976710656' }],
  ['davit-stream=routes', { ...HEADERS, 'davit-stream-id': '-1' }],
  ['davit-stream=routes', { ...HEADERS, 'davit-stream-id': '1e3' }],
])('rejects %s with %j', async (query, headers) => {
  await expect(ticketAnswer(OFFICE, aRequest(query, headers), ASKED)).rejects.toMatchObject({ code: 400 });
});
