import type { Facts } from './facts.ts';

/** A row of the table in CONTRIBUTING.md. */
export interface Row {
  readonly fact: string;
  /** The figure in the table. The measured figure must not be worse. */
  readonly now: number;
  /** `≤ 110`, `≥ 95`, or empty for a fact without a goal. */
  readonly goal: string;
}

const ROW = /^\| (?<fact>[^|]+?) +\| (?<now>[\d,.]+) +\| (?<goal>[≤≥] [\d,.]+)? *\|$/;
const number = (text: string): number => Number(text.replaceAll(',', ''));

/** The rows of the first table of facts on a Markdown page. */
export const rowsOf = (page: string): Row[] =>
  page.split('\n').flatMap((line) => {
    const { fact, now, goal } = ROW.exec(line)?.groups ?? {};
    return fact === undefined || now === undefined ? [] : [{ fact, now: number(now), goal: goal ?? '' }];
  });

/** The table with the measured figures, in the form of CONTRIBUTING.md. Facts without a row come last and have no goal. */
export function tableOf(facts: Facts, rows: readonly Row[]): string {
  const goals = new Map(rows.map(({ fact, goal }) => [fact, goal]));
  const lines = Object.entries(facts).map(
    ([fact, now]) => `| ${fact} | ${now.toLocaleString('en-US')} | ${goals.get(fact) ?? ''} |`,
  );
  return ['| Fact | Now | Goal |', '| --- | --- | --- |', ...lines].join('\n');
}

/** Tolerance for concurrent changes: a figure may get worse by 2 %, but a goal that was met must still be met. */
const ROOM = 0.02;

/** One sentence for each row whose measured figure is worse than the table allows, or is missing. */
export function regressions(facts: Facts, rows: readonly Row[]): string[] {
  return rows.flatMap(({ fact, now, goal }) => {
    const measured = facts[fact];
    if (measured === undefined) return isOfGit(fact) ? [] : [`${fact}: nothing measures it`];
    if (goal === '') return [];
    const bound = boundOf(now, goal);
    const holds = goal.startsWith('≤') ? measured <= bound : measured >= bound;
    return holds ? [] : [`${fact}: ${measured}, the table has ${now} (goal ${goal})`];
  });
}

function boundOf(now: number, goal: string): number {
  const best = number(goal.slice(2));
  return goal.startsWith('≤') ? Math.max(best, now * (1 + ROOM)) : Math.min(best, now * (1 - ROOM));
}

const isOfGit = (fact: string): boolean => fact.startsWith('Commit');
