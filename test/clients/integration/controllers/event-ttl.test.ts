import { expect, test } from 'vitest';
import { eventTtlController } from '#lib/controllers/event-ttl/reconcile.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [eventTtlController(client, clock)];
const EVENTS = core('events');
const MINUTE = 60_000;

const anEvent = (world: World, name: string) =>
  world.user.create(EVENTS, {
    metadata: { name, namespace: 'default' },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    reason: 'Tested',
  });

const names = async (world: World) => (await world.user.list(EVENTS)).map(nameOf).sort();

/** Two events from more than an hour ago, and a current one. */
async function prepare(world: World): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name: 'default' } });
  await anEvent(world, 'old-1');
  await anEvent(world, 'old-2');
  world.clock.advance(61 * MINUTE);
  await anEvent(world, 'new');
}

test('deletes events an hour after their last write, no matter when the controller is killed', async () => {
  const check = async (world: World): Promise<void> => expect(await names(world)).toEqual(['new']);
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(1);
});

test('keeps an event that was written again, and detects the expiry in a process that never restarted', async () => {
  const world = new World();
  await prepare(world);
  const [controller] = make(world.newClient('controllers'), world.clock, world);
  let later = 0;
  const watched: Reconcilers = () => [
    {
      name: 'watched',
      keys: (change) => controller?.keys(change) ?? [],
      async reconcile(key) {
        const result = await controller?.reconcile(key);
        later = result?.requeueAfter ?? 0;
        return undefined;
      },
    },
  ];
  await world.user.patch(refOf(EVENTS, 'default', 'old-1'), {
    message: 'again',
    lastTimestamp: '2023-11-14T23:10:00Z',
  });
  await world.run(watched);
  expect(await names(world)).toEqual(['new', 'old-1']);
  expect(later).toBeGreaterThan(MINUTE);
  world.clock.advance(62 * MINUTE);
  await controller?.reconcile('expire');
  expect(await names(world)).toEqual([]);
});
