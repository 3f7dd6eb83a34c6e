import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { skipUnless } from '#test/support/skip.ts';
import { ChangeSequence } from './change-sequence.ts';
import { CostScaling } from './cost-scaling.ts';
import { decodeDimacs } from './dimacs.ts';
import { FlowSolver } from './flow-solver.ts';
import { networkSimplex } from './network-simplex.ts';
import { faultsOf, solutionOf } from './optimality.ts';
import { PrimalDual } from './primal-dual.ts';

const fixtures = process.env['DAVIT_FIXTURES'];
const folder = join(fixtures ?? '', 'corpus/flow');
/** The maximum number of arcs in an instance that CI solves. With DAVIT_FULL, all instances are solved. */
const MAX_ARCS = process.env['DAVIT_FULL'] === undefined ? 3_000 : Infinity;

/**
 * The maximum number of arcs in an instance that each solver solves alone. On larger ones a single solver may need seconds, while
 * FlowSolver switches to the faster one.
 */
const MAX_ALONE = 12_000;

interface Golden {
  readonly name: string;
  readonly arcs: number;
  readonly steps?: number;
  readonly cost: number | null;
}

function* goldens(): Generator<Golden> {
  for (const line of readFileSync(join(folder, 'index.jsonl'), 'utf8').trimEnd().split('\n')) {
    const golden = JSON.parse(line) as Golden;
    if (golden.arcs <= MAX_ARCS) yield golden;
  }
}

const linesOf = (file: string): string[] =>
  gunzipSync(readFileSync(join(folder, file)))
    .toString()
    .trimEnd()
    .split('\n');

describe('golden instances', skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'), () => {
  test.each([...(fixtures === undefined ? [] : goldens())].filter(({ steps }) => steps === undefined))(
    '$name: every solver finds the cost that OR-Tools found, with potentials that prove it',
    async ({ name, arcs, cost }) => {
      const graph = await decodeDimacs(linesOf(`${name}.min.gz`));
      const alone = [
        () => (graph.reset(), graph.imbalance === 0 ? new PrimalDual(graph).run() : 'infeasible'),
        () => (graph.reset(), graph.imbalance === 0 ? new CostScaling(graph).run() : 'infeasible'),
      ];
      for (const solve of [() => new FlowSolver(graph).solve(), ...(arcs > MAX_ALONE ? [] : alone)]) {
        expect(solve()).toBe(cost === null ? 'infeasible' : 'optimal');
        if (cost === null) continue;
        expect(graph.totalCost()).toBe(cost);
        expect(faultsOf(graph, solutionOf(graph))).toEqual([]);
      }
      const simplex = networkSimplex(graph);
      expect(simplex === undefined ? ['infeasible'] : faultsOf(graph, simplex)).toEqual(
        cost === null ? ['infeasible'] : [],
      );
    },
  );

  test.each([...(fixtures === undefined ? [] : goldens())].filter(({ steps }) => steps !== undefined))(
    '$name: the cost after each change is the recorded one, with potentials that prove it',
    ({ name }) => {
      const sequence = new ChangeSequence();
      for (const line of linesOf(`${name}.seq.jsonl.gz`)) {
        const { cost } = JSON.parse(line) as Golden;
        const verdict = sequence.apply(line);
        expect(verdict === 'optimal' ? sequence.graph.totalCost() : null).toBe(cost);
        if (verdict === 'optimal') expect(faultsOf(sequence.graph, solutionOf(sequence.graph))).toEqual([]);
      }
    },
  );
});
