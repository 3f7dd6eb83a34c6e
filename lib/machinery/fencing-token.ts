/** The annotation of a request by which who sends it holds a lease. It is kept nowhere. */
export const FENCING_TOKEN = 'davit.dev/fencing-token';

/** Which lease, and how often it had changed hands: whoever takes it next has another number. */
export interface FencingToken {
  readonly namespace: string;
  readonly name: string;
  readonly transitions: number;
}

/** The token as the annotation has it; `parseFencingToken` reads it back. */
export const fencingTokenText = ({ namespace, name, transitions }: FencingToken): string =>
  `${namespace}/${name}/${transitions}`;

/** Undefined for what is no token. */
export function parseFencingToken(text: string): FencingToken | undefined {
  const [, namespace = '', name = '', transitions] = /^([^/]+)\/([^/]+)\/(\d{1,15})$/.exec(text) ?? [];
  return transitions === undefined ? undefined : { namespace, name, transitions: Number(transitions) };
}
