import { describe, expect, test } from 'vitest';
import { fixtures, sequences, SKIPPED } from './fixtures.conformance.ts';
import { mix } from './mix.conformance.ts';
import { replay, type ReplayKind } from './replay.conformance.ts';

if (fixtures === undefined) console.log(`skipped: ${SKIPPED}`);

describe.skipIf(fixtures === undefined)('answers of a real server', () => {
  test.each<[string, ReplayKind, number]>([['mixes', mix, 0.95]])('%s', (resource, kind, bar) => {
    const results = sequences(resource).flatMap((sequence) => {
      const steps = replay(kind, sequence);
      const wrong = steps.findIndex(({ same }) => !same);
      return wrong < 0 ? steps : steps.slice(0, wrong + 1);
    });
    const wrong = results.filter(({ same }) => !same);
    for (const { step, got } of wrong.slice(0, Number(process.env['SHOW'] ?? 0))) {
      console.log(
        step.op,
        JSON.stringify(step.body),
        '\n got',
        JSON.stringify(got),
        '\nwant',
        JSON.stringify(step.answer),
      );
    }
    console.log(`${resource}: ${results.length - wrong.length} of ${results.length} answers equal`);
    expect(1 - wrong.length / results.length).toBeGreaterThanOrEqual(bar);
  });
});
