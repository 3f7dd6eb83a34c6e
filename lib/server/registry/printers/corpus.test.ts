import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { skipUnless } from '#test/support/skip.ts';
import type { TableColumn } from '../printer.ts';
import { printerOf } from './printers.ts';

const fixtures = process.env['DAVIT_FIXTURES'];

interface Recorded {
  readonly kind: string;
  readonly path: string;
  readonly out: JsonObject & { metadata: JsonObject };
  readonly table?: { readonly columns: readonly TableColumn[]; readonly cells: readonly Json[] };
}

/** A controller of the recorded server updated its status between the two responses. */
const CHANGED = 'v1alpha1.demo.fabric8.io';
const CREATED = '2024-01-01T00:00:00Z';
const UID = '5f0c7c55-0f10-4d5a-9a3e-6a5b1f2f3c4d';
const NOW = new Date('2024-01-01T00:05:00Z');
const AGES: ReadonlySet<string> = new Set(['Age', 'Last Seen', 'First Seen', 'Duration']);

function recorded(): Recorded[] {
  const lines = gunzipSync(readFileSync(`${fixtures}/corpus/builtin.jsonl.gz`))
    .toString()
    .split('\n');
  const likely = lines.filter((line) => line.includes('"table":')).map((line) => JSON.parse(line) as Recorded);
  return likely.filter(({ table }) => table !== undefined);
}

/** Parses a path, for example `/apis/apps/v1/namespaces/default/deployments`. */
function resourceOf(path: string): { group: string; resource: string } {
  const parts = path.split('/');
  return { group: parts[1] === 'apis' ? (parts[2] ?? '') : '', resource: parts.at(-1) ?? '' };
}

/** Replaces values that differ between runs. The recording has `*` for them. */
function stable(name: string, cell: Json | undefined): Json {
  if (AGES.has(name)) return null;
  if (typeof cell !== 'string') return cell ?? null;
  if (name === 'Cluster-IP' && cell !== 'None' && cell !== '<none>') return '*';
  if (name === 'Port(s)') return cell.replaceAll(/:\d+\//g, ':*/');
  return cell === CREATED ? '*' : cell.replaceAll(UID, '*');
}

/** A plausible value for the recording's `*`. */
function revived(value: Json, field = ''): Json {
  if (value === '*' && field === 'clusterIPs') return ['10.0.0.1'];
  if (value === '*' && field === 'nodePort') return 30_000;
  if (value === '*' && field.endsWith('controller-uid')) return UID;
  if (Array.isArray(value)) return value.map((item) => revived(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revived(item, key)]));
}

function printed({ path, out }: Recorded): { columns: unknown; cells: Json[] } {
  const metadata = { ...out.metadata, creationTimestamp: CREATED };
  const object = revived({ ...out, metadata }) as JsonObject;
  const printer = printerOf(resourceOf(path));
  const cells = printer.cells(object, NOW);
  return {
    columns: printer.columns.map(({ name, type, format, priority }) => ({ name, type, format, priority })),
    cells: printer.columns.map(({ name }, index) => stable(name, cells[index])),
  };
}

describe('tables of a real server', skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'), () => {
  test('are printed with the same cells', () => {
    const all = recorded();
    const wrong = all.filter((item) => JSON.stringify(printed(item)) !== JSON.stringify(item.table));
    console.log(`${all.length} tables, ${wrong.length} differ`);
    const others = wrong.filter(({ out }) => nameOf(out) !== CHANGED);
    expect(others.map((item) => [item.kind, printed(item).cells, item.table?.cells])).toEqual([]);
    expect(all.length).toBeGreaterThan(1000);
  });
});
