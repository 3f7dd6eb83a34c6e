const SIGMA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;
const DOUBLE_ROUNDS = 10;
const BLOCK = 64;

/** The quarter rounds of a column round, then of a row round: positions in the 4×4 state. */
const QUARTERS: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
];

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

function rounds(state: Uint32Array): Uint32Array {
  const x = state.slice();
  const at = (i: number): number => x[i] as number;
  for (let round = 0; round < DOUBLE_ROUNDS; round++) {
    for (const [a, b, c, d] of QUARTERS) {
      x[b] = at(b) ^ rotate(at(a) + at(d), 7);
      x[c] = at(c) ^ rotate(at(b) + at(a), 9);
      x[d] = at(d) ^ rotate(at(c) + at(b), 13);
      x[a] = at(a) ^ rotate(at(d) + at(c), 18);
    }
  }
  return x;
}

/** The state of a key of 32 bytes and 16 bytes of input. */
function stateOf(key: Uint8Array, input: Uint8Array): Uint32Array {
  const [k, n] = [wordsOf(key), wordsOf(input)];
  const [s0, s1, s2, s3] = SIGMA;
  return Uint32Array.from([s0, ...k.slice(0, 4), s1, ...n, s2, ...k.slice(4), s3]);
}

function wordsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(i * 4, true));
}

function bytesOf(words: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(words.length * 4);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < words.length; i++) view.setUint32(i * 4, words[i] as number, true);
  return bytes;
}

/** HSalsa20: a key of 32 bytes from another and 16 bytes. */
function hsalsa20(key: Uint8Array, input: Uint8Array): Uint8Array {
  const x = rounds(stateOf(key, input));
  return bytesOf([0, 5, 10, 15, 6, 7, 8, 9].map((i) => x[i] as number));
}

/** `data` exclusive-or the stream of XSalsa20, for a key of 32 bytes and a nonce of 24. Both ways. */
export function xsalsa20(data: Uint8Array, key: Uint8Array, nonce: Uint8Array): Uint8Array {
  const state = stateOf(hsalsa20(key, nonce.subarray(0, 16)), Buffer.concat([nonce.subarray(16, 24), Buffer.alloc(8)]));
  const out = Uint8Array.from(data);
  for (let from = 0; from < out.length; from += BLOCK) {
    const stream = bytesOf(rounds(state).map((word, i) => word + (state[i] as number)));
    for (let i = from; i < Math.min(from + BLOCK, out.length); i++)
      out[i] = (out[i] as number) ^ (stream[i - from] as number);
    state[8] = (state[8] as number) + 1;
  }
  return out;
}
