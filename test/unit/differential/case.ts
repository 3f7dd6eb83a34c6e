import type { Draw } from './draw.ts';

/** One request of a case. A path that begins with `/` is sent as it is; `{ns}` in it stands for the run's namespace. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Repeats the request until the answer satisfies this, for things that a server does later. */
  readonly until?: (answer: Answer) => boolean;
  /** The part of the answer to compare. Default all of it. */
  readonly part?: (answer: Answer) => unknown;
  /** Tidies up: its answer is not compared. */
  readonly ignored?: true;
}

/** An answer with the values masked that no two servers share. */
export interface Answer {
  readonly status: number;
  readonly warnings: readonly string[];
  /** JSON where the answer is JSON, its text otherwise. */
  readonly body: unknown;
}

/** Requests to be sent in this order; a case ends at the first answer that differs. */
export interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Makes the case of a seed. `id` is unique in the run and a valid DNS label. */
export type Suite = (draw: Draw, id: string) => Case;

export const JSON_TYPE = { 'content-type': 'application/json' };
export const YAML_TYPE = { 'content-type': 'application/yaml' };
