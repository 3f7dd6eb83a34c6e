import { readFileSync } from 'node:fs';
import { REQUESTS } from './requests.ts';

/** What kube-apiserver 1.36.2 answered to `REQUESTS`: a line each. */
export const ANSWERS = new URL('../fixtures/answers/kubelet.txt', import.meta.url);

/** Answers as text: those of a group behind its name. */
export const recorded = (answers: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(answers)
    .map(([group, told]) => `# ${group}\n${told.map((one) => `${one}\n`).join('')}`)
    .join('\n');

/** The answers that are recorded, by groups, in the order of their requests. Throws where they are of other requests. */
export function recordedAnswers(): ReadonlyMap<string, readonly string[]> {
  const groups = readFileSync(ANSWERS, 'utf8').trim().split('\n\n');
  const answers = new Map(
    groups.map((group) => {
      const [title = '', ...told] = group.split('\n');
      return [title.slice('# '.length), told];
    }),
  );
  for (const [group, asked] of Object.entries(REQUESTS))
    if (answers.get(group)?.length !== asked.length) throw new Error(`${group}: record the answers anew`);
  return answers;
}
