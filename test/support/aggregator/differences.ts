import type { Exchange } from './exchange.ts';

/** Prefixes of lines that only come from the aggregator's HTTP library, in a response and in a request to a backend. */
const OF_LIBRARIES = {
  answer: ['connection: close', 'connection: keep-alive', 'keep-alive: ', 'trailer: ', 'x-own: '],
  request: ['accept-encoding: gzip', 'connection: close', 'content-length: 0', 'te: ', 'user-agent: Go-http-client/'],
} as const;

/** An exchange without the effects of HTTP libraries: repeated lines, trailers, and encodings that Go requests automatically. */
export function comparable({ title, status, headers, body, seen }: Exchange): Exchange {
  return {
    title,
    status,
    headers: headers.filter((line) => !startsWith(line, OF_LIBRARIES.answer)),
    body,
    seen: seen.map((one) => ({
      ...one,
      headers: one.headers.filter((line) => !startsWith(line, OF_LIBRARIES.request)),
    })),
  };
}

const startsWith = (line: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => line.startsWith(beginning));

/** One intended difference: its reason, and how the exchange differs from the recorded one. */
export interface Difference {
  readonly why: string;
  readonly apply: (recorded: Exchange) => Exchange;
}

const without =
  (...lines: string[]) =>
  (recorded: Exchange): Exchange => ({
    ...recorded,
    headers: recorded.headers.filter((line) => !lines.includes(line)),
  });

const having =
  (...lines: string[]) =>
  (recorded: Exchange): Exchange => ({ ...recorded, headers: [...recorded.headers, ...lines].sort() });

const instead =
  (of: Partial<Exchange>) =>
  (recorded: Exchange): Exchange => ({ ...recorded, ...of });

const all =
  (...changes: ((recorded: Exchange) => Exchange)[]) =>
  (recorded: Exchange): Exchange =>
    changes.reduce((changed, change) => change(changed), recorded);

const ADDRESS = "a backend's address is not written into its answers: clients cannot follow it";
const EARLY = 'an answer before the answer (1xx) is not passed on; upstream loses headers of the final one by it';
const ONCE = 'a header that the server sets and its backend too is there once';
const EARLIER = 'what came of an answer that breaks off is passed on; upstream holds the first 4 KiB back';
const OWN_HEADERS = ['audit-id: UUID', 'cache-control: no-cache, private', 'date: DATE'];
const FLOW = ['x-kubernetes-pf-flowschema-uid: UUID', 'x-kubernetes-pf-prioritylevel-uid: UUID'];

const refused: Difference = {
  why: 'a refusal to switch is an answer as any other, and has an audit id',
  apply: having(...OWN_HEADERS),
};

/** The intended differences, by the titles of their cases. */
export const DIFFERENCES: Readonly<Record<string, Difference>> = {
  POST: {
    why: ADDRESS,
    apply: all(without('location: https://BACKEND/elsewhere'), having('location: /elsewhere')),
  },
  'the answer html': {
    why: ADDRESS,
    apply: all(
      without('content-length: 100'),
      having('transfer-encoding: chunked'),
      instead({ body: '<a href="/apis/x">a</a><img src="b.png"><a href="https://example.com/c">c</a>' }),
    ),
  },
  'an answer awaited before the body': {
    why: EARLY,
    apply: having('content-type: application/json', 'etag: "1"'),
  },
  'the answer early-hints': {
    why: EARLY,
    apply: all(without('link: </a>; rel=preload'), having('content-type: application/json')),
  },
  'the answer gzip': {
    why: 'a coding that the client did not ask for stays; upstream asks for it by itself, and undoes it',
    apply: all(
      having('content-encoding: gzip'),
      instead({ body: '36 bytes, sha256 fe99822cfdf2d10fe754114fbc0b79f58f6ca190ed79a56b27f260b396add9fa' }),
    ),
  },
  'the answer server-headers': {
    why: ONCE,
    apply: without(
      'audit-id: of-the-backend',
      'cache-control: no-cache, private',
      'x-kubernetes-pf-flowschema-uid: of-the-backend',
    ),
  },
  'the answer http-1.0-short': {
    why: EARLIER,
    apply: instead({
      status: '200 (broken off)',
      headers: [...OWN_HEADERS, 'content-length: 100', ...FLOW].sort(),
      body: 'short',
    }),
  },
  'the answer hang-up-amid': {
    why: EARLIER,
    apply: instead({
      status: '200 (broken off)',
      headers: [...OWN_HEADERS, 'content-length: 100', 'content-type: text/plain', ...FLOW].sort(),
      body: 'some',
    }),
  },
  'the answer bad-header': {
    why: 'an answer with a space in the name of a header is refused: proxies disagree on what it means',
    apply: all(
      without('content-length: 2'),
      having('content-length: 65', 'x-content-type-options: nosniff'),
      instead({ status: 503, body: 'error trying to reach service: Parse Error: Invalid header token\n' }),
    ),
  },
  'the answer switch-unasked': {
    why: 'the text is of this server',
    apply: all(
      without('content-length: 59'),
      having('content-length: 62'),
      instead({ body: 'error trying to reach service: unexpected switch of protocols\n' }),
    ),
  },
  'a switch to SPDY/3.1 that is forbidden': refused,
  'a switch to websocket that is forbidden': refused,
  'a switch to HTTP/2 without TLS': {
    why: 'h2c is not switched to: the request is answered as if it had not asked',
    apply: ({ title, seen }) => ({
      title,
      status: 200,
      headers: [
        ...OWN_HEADERS,
        ...FLOW,
        'content-type: application/json',
        'etag: "1"',
        'transfer-encoding: chunked',
      ].sort(),
      body: '{"kind":"Thing"}',
      seen: seen.map((one) => ({
        ...one,
        headers: [
          ...one.headers.filter((line) => !/^(connection|upgrade|http2-settings):/.test(line)),
          'x-forwarded-host: BACKEND',
          'x-forwarded-proto: https',
          `x-forwarded-uri: ${one.url}`,
        ].sort(),
      })),
    }),
  },
};
