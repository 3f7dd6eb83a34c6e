import type { Command } from 'commander';
import { systemClock } from '#adapters/clock.ts';
import { connectionOf } from './connection.ts';
import { gather } from './gather.ts';
import { kubectl } from './kubectl.ts';
import { traceText } from './trace-text.ts';

/** Adds `trace`: from an object to what became of it. */
export function traceCommand(command: Command): void {
  command
    .command('trace')
    .description('show an object, its owners and dependents, their events and the calls of functions for them')
    .argument('<object...>', 'KIND/NAME')
    .action(async (what: readonly string[], _flags: unknown, self: Command) => {
      const traced = await gather(kubectl(connectionOf(self.optsWithGlobals())), what);
      process.stdout.write(traceText(traced, systemClock.now()));
    });
}
