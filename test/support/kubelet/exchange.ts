import type { Piece } from './tap.ts';

/** A recorded stream from a client via the API server to a kubelet. */
export interface Exchange {
  /** How it was recorded. */
  readonly title: string;
  /** Head of the client's request, without its credentials. */
  readonly request: string;
  /** Head of the server's request to the kubelet. */
  readonly passedOn: string;
  /** The head of the kubelet's response. */
  readonly answer: string;
  /** The head of the server's response to the client. */
  readonly passedBack: string;
  /** The bytes after the heads, which are the same on both connections. `there` is the direction to the kubelet. */
  readonly pieces: readonly Piece[];
}

const HEADS = ['request', 'passedOn', 'answer', 'passedBack'] as const;
const WAYS = { there: '>', back: '<' } as const;

/** Formats one line for the title, one for each head (JSON), and one for each piece (base64). */
export function formatExchange(exchange: Exchange): string {
  const heads = HEADS.map((name) => `${name} ${JSON.stringify(exchange[name])}`);
  const pieces = exchange.pieces.map(({ way, bytes }) => `${WAYS[way]} ${bytes.toString('base64')}`);
  return [`# ${exchange.title}`, ...heads, ...pieces, ''].join('\n');
}

/** Parses the output of formatExchange. */
export function parseExchange(text: string): Exchange {
  const lines = text.trimEnd().split('\n');
  const head = (name: string): string => {
    const line = lines.find((one) => one.startsWith(`${name} `)) ?? '';
    return JSON.parse(line.slice(name.length + 1)) as string;
  };
  const pieces = lines.slice(1 + HEADS.length).map((line): Piece => {
    const [sign, bytes = ''] = line.split(' ');
    return { way: sign === WAYS.there ? 'there' : 'back', bytes: Buffer.from(bytes, 'base64') };
  });
  return {
    title: (lines[0] ?? '').slice(2),
    request: head('request'),
    passedOn: head('passedOn'),
    answer: head('answer'),
    passedBack: head('passedBack'),
    pieces,
  };
}

/** Splits an upgraded connection into both heads and the data after them. Throws if it was not upgraded. */
export function splitHeads(connection: readonly Piece[]): { request: string; answer: string; pieces: Piece[] } {
  const heads = { there: '', back: '' };
  const done = { there: false, back: false };
  const pieces: Piece[] = [];
  for (const { way, bytes } of connection) {
    if (done[way]) {
      pieces.push({ way, bytes });
      continue;
    }
    heads[way] += bytes.toString('latin1');
    const end = heads[way].indexOf('\r\n\r\n') + 4;
    if (end < 4) continue;
    const rest = Buffer.from(heads[way].slice(end), 'latin1');
    heads[way] = heads[way].slice(0, end);
    done[way] = true;
    if (rest.length > 0) pieces.push({ way, bytes: rest });
  }
  if (!heads.back.startsWith('HTTP/1.1 101')) throw new Error(`no switch of protocols: ${heads.back}`);
  return { request: heads.there, answer: heads.back, pieces: merged(pieces) };
}

/** Joins consecutive pieces in one direction. */
function merged(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last?.way === piece.way) all.splice(-1, 1, { way: piece.way, bytes: Buffer.concat([last.bytes, piece.bytes]) });
    else all.push(piece);
  }
  return all;
}
