import type { Draw } from './draw.ts';

/** One request of a case. A path that begins with `/` is sent unchanged; `{ns}` in it stands for the run's namespace. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Repeats the request until the response satisfies this, for effects that happen later. */
  readonly until?: (answer: Answer) => boolean;
  /** The part of the response to compare. Default all of it. */
  readonly part?: (answer: Answer) => unknown;
  /** A cleanup step, whose response is not compared. */
  readonly ignored?: true;
}

/** A response, with the values masked that differ between servers. */
export interface Answer {
  readonly status: number;
  readonly warnings: readonly string[];
  /** JSON if the response is JSON, its text otherwise. */
  readonly body: unknown;
}

/** Requests to send in this order; a case ends at the first response that differs. */
export interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Makes the case of a seed. `id` is unique in the run and a valid DNS label. */
export type Suite = (draw: Draw, id: string) => Case;

export const JSON_TYPE = { 'content-type': 'application/json' };
export const YAML_TYPE = { 'content-type': 'application/yaml' };
