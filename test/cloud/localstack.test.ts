import { describe } from 'vitest';
import { pathOf } from '#test/support/clients/cache.ts';
import { installRuntimeClient } from '#test/support/lambda/install.ts';
import { installLocalStack } from '#test/support/localstack/install.ts';
import { startLocalStack } from '#test/support/localstack/start.ts';
import { needing, skipUnless } from '#test/support/skip.ts';
import { FUNCTIONS, sharedAssembly } from './assembly.ts';
import { startPlatform } from './platform.ts';
import { aggregatedApis, basics, ends, replays, smoke, usersFunctions, workloads } from './stack.conformance.ts';
import { kubectlBinary, Stack } from './stack.ts';

const runtime = await installRuntimeClient();
const more = skipUnless(process.env['DAVIT_FULL'] !== undefined, 'runs with DAVIT_FULL=1');

// A second emulator finds problems that the first one tolerates. deployed.test.ts runs the tests skipped here on ministack.
describe('the stack deployed to LocalStack', needing(await installLocalStack(), runtime, kubectlBinary), () => {
  const stack = new Stack(async () =>
    startPlatform(
      startLocalStack,
      await sharedAssembly(pathOf(runtime), { frontDoor: 'function-url', functions: FUNCTIONS }),
    ),
  );

  basics(stack);
  usersFunctions(stack, false);
  describe('the stack after its deployment', more, () => {
    smoke(stack);
    workloads(stack);
    aggregatedApis(stack, false);
    replays(stack);
  });
  ends(stack, 'assembly');
});
