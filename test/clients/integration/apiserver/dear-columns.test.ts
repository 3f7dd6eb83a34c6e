import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aDefinition } from '#lib/server/apiextensions/a-definition.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import type { Sent } from './front-door.ts';
import { request, TOKEN } from './in-process.ts';

const CRON_TABS = '/apis/example.com/v1/namespaces/default/crontabs';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const AS_TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const COLUMNS = ['One', 'Two', 'Three', 'Four'];
const ROWS = 20;

const columns = [
  ...COLUMNS.map((name) => ({ name, type: 'string', jsonPath: '.spec..a..a..a' })),
  { name: 'Shown', type: 'string', jsonPath: '.metadata.name' },
];
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const definition = {
  ...aDefinition(
    {},
    {
      additionalPrinterColumns: columns,
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: open } } },
    },
  ),
  status: {
    acceptedNames: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' },
    storedVersions: ['v1'],
    conditions: [{ type: 'Established', status: 'True', reason: 'Test', message: '', lastTransitionTime: null }],
  },
};
const nested = (depth: number): JsonObject => Array.from({ length: depth }).reduce<JsonObject>((a) => ({ a }), {});

const warnings: string[] = [];
const { server, faults } = serverInProcess({
  clock: systemClock,
  tokens: new Map([[TOKEN, { name: 'admin', groups: [SYSTEM_MASTERS] }]]),
  reportWarning: (text) => void warnings.push(text),
});

async function send(sent: Sent): Promise<{ code: number; body: JsonObject; turns: number }> {
  let turns = 0;
  const turn = async (): Promise<void> => void turns++;
  const { status, body } = await server.handle({ ...request(sent, new AbortController().signal), turn });
  return { code: status, body: JSON.parse(String(body)) as JsonObject, turns };
}

const cellsOf = ({ rows }: JsonObject): unknown => (rows as JsonObject[]).map(({ cells }) => cells);

beforeAll(async () => {
  const created = await send({ method: 'POST', path: DEFINITIONS, body: definition });
  expect(created.code).toBe(201); // a definition with such columns is accepted, as in upstream
  const path = `${DEFINITIONS}/crontabs.example.com/status`;
  const { status } = definition;
  const headers = { 'content-type': 'application/merge-patch+json' };
  expect((await send({ method: 'PATCH', path, headers, body: { status } })).code).toBe(200);
  const namespace = { metadata: { name: 'default' } };
  await send({ method: 'POST', path: '/api/v1/namespaces', body: namespace });
  for (let i = 0; i < ROWS; i++) {
    const metadata = { name: `n${i}` };
    const body = { apiVersion: 'example.com/v1', kind: 'CronTab', metadata, spec: nested(430) };
    expect((await send({ method: 'POST', path: CRON_TABS, body })).code).toBe(201);
  }
});
afterAll(() => server.close());

test('columns beyond the budget have empty cells and cause one warning each, the others are shown', async () => {
  const { code, body } = await send({ path: `${CRON_TABS}/n0`, headers: AS_TABLE });
  expect(code).toBe(200);
  expect(cellsOf(body)).toEqual([['n0', null, null, null, null, 'n0']]);
  expect(warnings).toEqual(
    COLUMNS.map(
      (name) =>
        `crontabs.example.com v1: the printer column "${name}" (".spec..a..a..a") takes too many steps, cells of it are empty`,
    ),
  );
  expect(faults).toEqual([]);
});

test('yields to other requests after each row of a list', async () => {
  const { code, body, turns } = await send({ path: CRON_TABS, headers: AS_TABLE });
  expect(code).toBe(200);
  expect(cellsOf(body)).toHaveLength(ROWS);
  expect(turns).toBeGreaterThanOrEqual(ROWS);
  expect(warnings).toHaveLength(COLUMNS.length);
});
