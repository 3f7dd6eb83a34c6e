import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOf } from '#test/support/clients/cache.ts';
import { installRuntimeClient } from '#test/support/lambda/install.ts';
import { installMinistack } from '#test/support/ministack/install.ts';
import { startMinistack } from '#test/support/ministack/start.ts';
import { needing } from '#test/support/skip.ts';
import { FUNCTIONS, sharedAssembly } from './assembly.ts';
import { CHARTS, meterChart, NODE, toldUnits } from './chart-units.ts';
import { type Meter, startMeter } from './meter.ts';
import { startPlatform } from './platform.ts';
import { aggregatedApis, basics, ends, replays, smoke, usersFunctions, workloads } from './stack.conformance.ts';
import { kubectlBinary, Stack } from './stack.ts';

const runtime = await installRuntimeClient();

describe('the stack deployed to ministack', needing(await installMinistack(), runtime, kubectlBinary), () => {
  let meter: Meter;
  afterAll(() => meter?.close());
  beforeAll(async () => void (meter = await startMeter()));
  const stack = new Stack(async () => {
    const assembly = await sharedAssembly(pathOf(runtime), { frontDoor: 'function-url', functions: FUNCTIONS });
    return startPlatform(startMinistack, assembly, (endpoint) => meter.before(endpoint));
  });

  test('a chart needs the table units that its price is computed from: writes within a tenth, reads within a fifth', async () => {
    const { calls, ...units } = await meterChart(stack.platform, meter);
    const told = toldUnits();
    const seen = `${JSON.stringify({ units, told })} ${[...calls].join(' ')}`;
    expect(Math.abs(units.writeUnits - told.writeUnits), seen).toBeLessThan(told.writeUnits / 10);
    expect(Math.abs(units.readUnits - told.readUnits), seen).toBeLessThan(told.readUnits / 5);
    await stack.kubectl(['delete', 'deployment', ...CHARTS, '--timeout=180s']);
    await stack.kubectl(['delete', 'node', NODE, '--timeout=180s']);
  }, 600_000);

  smoke(stack);
  basics(stack);
  workloads(stack);
  usersFunctions(stack, true);
  aggregatedApis(stack, true);
  replays(stack);
  ends(stack, 'app');
});
