import { describe, expect, test } from 'vitest';
import { skipUnless } from '#test/support/skip.ts';
import { builtIn } from './built-in.conformance.ts';
import { fixtures, sequences } from './fixtures.conformance.ts';
import { mix } from './mix.conformance.ts';
import { type ReplayKind, replay, replayOwnership } from './replay.conformance.ts';

/** Returns the steps up to the first wrong one. Later steps start from another object. */
function untilWrong<T extends { same: boolean }>(steps: T[]): T[] {
  const wrong = steps.findIndex(({ same }) => !same);
  return wrong < 0 ? steps : steps.slice(0, wrong + 1);
}

function report(resource: string, results: ReturnType<typeof replay>): string {
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
  return `${wrong.length} wrong`;
}

describe(
  'responses recorded from a real server',
  skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'),
  () => {
    test.each<[string, ReplayKind]>([
      ['mixes', mix],
      ['configmaps', builtIn('', 'ConfigMap')],
      ['serviceaccounts', builtIn('', 'ServiceAccount')],
    ])('match for %s completely', (resource, kind) => {
      const results = sequences(resource).flatMap((sequence) => untilWrong(replay(kind, sequence)));
      expect(report(resource, results)).toBe('0 wrong');
    });

    test.each<[string, string, string]>([
      ['', 'Pod', 'pods'],
      ['', 'Service', 'services'],
      ['apps', 'Deployment', 'deployments'],
      ['apps', 'StatefulSet', 'statefulsets'],
      ['batch', 'CronJob', 'cronjobs'],
      ['networking.k8s.io', 'Ingress', 'ingresses'],
      ['networking.k8s.io', 'NetworkPolicy', 'networkpolicies'],
      ['rbac.authorization.k8s.io', 'Role', 'roles'],
    ])('match for %s %s in managed fields and conflicts', (group, name, resource) => {
      const results = sequences(resource).flatMap((sequence) => replayOwnership(builtIn(group, name), sequence));
      expect(report(resource, results)).toBe('0 wrong');
    });
  },
);
