import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FRONT_DOORS } from '../../infra/context.ts';
import { idleLines } from './idle.ts';
import { type MetricsUse, metricsLines, NO_METRICS } from './metrics.ts';
import { total } from './prices.ts';
import { synthesized } from './template.ts';

const cost = (use: Partial<MetricsUse>, nodes: number): number =>
  total(metricsLines({ ...NO_METRICS, ...use }, { nodes, frontDoor: 'function-url' }));

describe('metrics of nodes and pods', () => {
  test.each(FRONT_DOORS)('cost nothing behind %s without requests, for any number of nodes', (frontDoor) => {
    expect(metricsLines(NO_METRICS, { nodes: 100, frontDoor })).toEqual([]);
  });

  test('cost nothing when idle except the storage of the code, less than a tenth of a cent', () => {
    const without = synthesized({ nodes: true });
    const more = Object.entries(synthesized({ nodes: true, metricsApi: true })).filter(([id]) => !(id in without));
    expect(more.map(([, { Type }]) => Type)).toContain('AWS::Lambda::Function');
    expect(total(idleLines(Object.fromEntries(more)))).toBeLessThan(0.001);
  });

  test('cost as much as docs/aggregation.md states', () => {
    const one = cost({ autoscalers: 1 }, 1);
    const dollars = [
      one,
      cost({ autoscalers: 1 }, 2) - one,
      cost({ autoscalers: 2 }, 1) - one,
      cost({ reads: 1000 }, 1),
    ];
    const text = readFileSync(join(import.meta.dirname, '../../docs/aggregation.md'), 'utf8');
    const [first, node, further, reads] = dollars.map((each) => `$${each.toFixed(2)}`);
    expect(text).toContain(
      `An autoscaler of pods on one node costs ${first} a month, each further node ${node}, each further autoscaler ${further}, and a thousand \`kubectl top nodes\` of one node ${reads}`,
    );
  });

  test('are scraped once a minute, for any number of readers', () => {
    const messages = (use: Partial<MetricsUse>): number =>
      metricsLines({ ...NO_METRICS, ...use }, { nodes: 3, frontDoor: 'rest' }).find(({ what }) =>
        what.endsWith('messages of nodes'),
      )?.quantity ?? 0;
    expect(messages({ autoscalers: 5, reads: 1000 })).toBe(messages({ autoscalers: 1 }));
  });
});
