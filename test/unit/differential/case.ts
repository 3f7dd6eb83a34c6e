import type { Draw } from './draw.ts';

/** One request of a case. A path that begins with `/` is sent unchanged. `{ns}` in it is replaced by the run's namespace. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Repeats the request until the response satisfies this condition, for effects that happen later. */
  readonly until?: (answer: Answer) => boolean;
  /** The part of the response to compare. Defaults to all of it. */
  readonly part?: (answer: Answer) => unknown;
  /** Whether this is a cleanup step, whose response is not compared. */
  readonly ignored?: true;
}

/** A response in which values that differ between servers are masked. */
export interface Answer {
  readonly status: number;
  readonly warnings: readonly string[];
  /** The JSON value of a JSON response, otherwise the text. */
  readonly body: unknown;
}

/** Requests to send in this order. A case ends at the first response that differs. */
export interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Creates the case for a seed. `id` is unique in the run and a valid DNS label. */
export type Suite = (draw: Draw, id: string) => Case;

export const JSON_TYPE = { 'content-type': 'application/json' };
export const YAML_TYPE = { 'content-type': 'application/yaml' };
