import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { skipUnless } from '#test/support/skip.ts';
import { ctr } from './container-runtime.ts';
import { KUBECTL, TestNode } from './test-node.ts';

const {
  /** Upstream's end-to-end test program, which is built outside of the project. */
  DAVIT_E2E_TEST: program = '',
  /** A folder of image archives for the tests' pods, so that no image is pulled. */
  DAVIT_E2E_IMAGES: images = '',
  /** The tests, as ginkgo patterns. By default, the tests whose webhooks run in pods, except one that needs aggregation. */
  DAVIT_E2E_FOCUS: focus = 'AdmissionWebhook|CustomResourceConversionWebhook',
  DAVIT_E2E_SKIP: skip = 'aggregat',
} = process.env;
/** Time-out in ms for all tests together. */
const TIMEOUT = 3_600_000;
const needs = skipUnless(program !== '' && images !== '', 'runs with DAVIT_E2E_TEST and DAVIT_E2E_IMAGES');

interface Report {
  readonly SpecReports: readonly { readonly LeafNodeText: string; readonly State: string }[];
}

/** The executed tests that did not pass, and the number of tests that passed. */
function results(report: string): { readonly passed: number; readonly others: readonly string[] } {
  const reports = JSON.parse(readFileSync(report, 'utf8')) as Report[];
  const ran = reports
    .flatMap(({ SpecReports }) => SpecReports)
    .filter(({ LeafNodeText, State }) => LeafNodeText !== '' && State !== 'skipped');
  const others = ran.filter(({ State }) => State !== 'passed');
  return {
    passed: ran.length - others.length,
    others: others.map(({ LeafNodeText, State }) => `${State}: ${LeafNodeText}`),
  };
}

test('upstream’s tests pass on a node with the agent', { ...needs, timeout: TIMEOUT }, async () => {
  await using node = await TestNode.start();
  for (const archive of readdirSync(images)) ctr('images', 'import', join(images, archive));
  const report = join(node.folder, 'report.json');
  await using running = new RunningProgram(program, [
    `--ginkgo.focus=${focus}`,
    `--ginkgo.skip=${skip}`,
    '--ginkgo.no-color',
    `--ginkgo.timeout=${TIMEOUT / 60_000}m`,
    `--ginkgo.json-report=${report}`,
    `--kubeconfig=${node.server.kubeconfig}`,
    `--kubectl-path=${KUBECTL}`,
    '--provider=skeleton',
    '--num-nodes=1',
    '--dump-logs-on-failure=false',
    '--disable-log-dump=true',
  ]);
  await running.ended();
  const { passed, others } = results(report);
  console.log(`${passed} passed`);
  expect(others, running.stdout.slice(-10_000)).toEqual([]);
  expect(passed).toBeGreaterThan(0);
});
