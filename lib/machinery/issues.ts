import type * as z from 'zod';
import { quote } from './go.ts';

/** A problem at one path of the input: the fields that the issues of both zod variants have. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** All problems in one line: `path.to.field: why; …`. A problem of the whole input has no path. */
export const issuesText = (issues: readonly Issue[]): string => issues.map(issueText).join('; ');

const issueText = ({ path, message }: Issue): string =>
  path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;

/** The problems of a strictly decoded document. Unknown fields get upstream's message: `strict decoding error: unknown field "a[0].b"`. */
export function strictIssuesText(issues: readonly z.core.$ZodIssue[]): string {
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => `unknown field ${quote(pathText([...issue.path, name]))}`)
      : [],
  );
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys');
  return [
    ...others.map(({ path, message }) => `${pathText(path)}: ${message}`),
    ...(unknown.length === 0 ? [] : [`strict decoding error: ${unknown.join(', ')}`]),
  ].join(', ');
}

const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
