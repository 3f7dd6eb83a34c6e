/** The request annotation with which a client proves that it holds a lease. It is never stored. */
export const FENCING_TOKEN = 'davit.dev/fencing-token';

/** A lease and the number of its transitions, which differs for the next holder. */
export interface FencingToken {
  readonly namespace: string;
  readonly name: string;
  readonly transitions: number;
}

/** Formats the token for the annotation. `parseFencingToken` parses it. */
export const fencingTokenText = ({ namespace, name, transitions }: FencingToken): string =>
  `${namespace}/${name}/${transitions}`;

/** Parses a token; undefined if the text is invalid. */
export function parseFencingToken(text: string): FencingToken | undefined {
  const [, namespace = '', name = '', transitions] = /^([^/]+)\/([^/]+)\/(\d{1,15})$/.exec(text) ?? [];
  return transitions === undefined ? undefined : { namespace, name, transitions: Number(transitions) };
}
