import type { Answer } from './case.ts';

/** A line of a recorded file: requests and the reference's responses in comparable form. */
export interface RecordedCase {
  readonly name: string;
  /** The namespace of the run, which occurs in the responses. */
  readonly namespace: string;
  readonly steps: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Undefined for a cleanup step. */
    readonly answer?: Answer;
  }[];
}

/** The cases of a recorded file. */
export const recordedCases = (text: string): RecordedCase[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedCase);
