import { isDeepStrictEqual } from 'node:util';
import type { Answer, Case, Step } from './case.ts';
import type { Peer } from './peer.ts';

/** The first step of a case with different responses. */
export interface Difference {
  readonly case: Case;
  readonly step: Step;
  readonly reference: unknown;
  readonly subject: unknown;
}

/** A step and the reference's response, if it is compared. */
export interface Recorded {
  readonly step: Step;
  readonly answer: Answer | undefined;
}

export interface Compared {
  /** The number of equal responses before the case ended. */
  readonly equal: number;
  readonly difference: Difference | undefined;
  readonly recorded: readonly Recorded[];
}

const all = (answer: Answer): unknown => answer;

/** Sends a case's steps to both servers and stops comparing at the first difference. Cleanup steps are always sent. */
export async function compare(it: Case, reference: Peer, subject: Peer, namespace: string): Promise<Compared> {
  const recorded: Recorded[] = [];
  let difference: Difference | undefined;
  let equal = 0;
  for (const step of it.steps) {
    if (step.ignored === undefined && difference !== undefined) continue;
    const [known, own] = await Promise.all([reference.ask(step, namespace), subject.ask(step, namespace)]);
    recorded.push({ step, answer: step.ignored === undefined ? known : undefined });
    if (step.ignored !== undefined) continue;
    const part = step.part ?? all;
    if (isDeepStrictEqual(part(known), part(own))) equal += 1;
    else difference = { case: it, step, reference: part(known), subject: part(own) };
  }
  return { equal, difference, recorded };
}

/** The leaves in which two values differ, one per line: path, reference's value, subject's value. */
export function differences(reference: unknown, subject: unknown, path = ''): string[] {
  if (isDeepStrictEqual(reference, subject)) return [];
  if (!isBranch(reference) || !isBranch(subject)) return [`${path || '.'}: ${shown(reference)} | ${shown(subject)}`];
  const names = new Set([...Object.keys(reference), ...Object.keys(subject)]);
  return [...names].flatMap((name) => differences(reference[name], subject[name], `${path}.${name}`));
}

const isBranch = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const shown = (value: unknown): string => (value === undefined ? '(absent)' : JSON.stringify(value).slice(0, 400));
