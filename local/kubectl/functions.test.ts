import { expect, test } from 'vitest';
import { functionsText } from './functions.ts';

test('prints one line for each function with its state and the reason why it does not run', () => {
  const own = { apiVersion: 'example.com/v1', kind: 'Widgt' };
  const message = 'kind Widgt of example.com/v1 is not served; did you mean Widget?';
  expect(
    functionsText([
      { name: 'guard', type: 'Webhook', state: 'Running' },
      { name: 'notes', type: 'AggregatedAPI', serves: 'notes.example.com/v1', state: 'Running' },
      { name: 'widgets', type: 'Reconciler', for: own, state: 'Waiting', message },
      { name: 'wrong.ts', type: 'File', state: 'Failed', message: 'two\nlines' },
    ]),
  ).toBe(`NAME       TYPE            FOR                       STATE     MESSAGE
guard      Webhook                                   Running
notes      AggregatedAPI   notes.example.com/v1      Running
widgets    Reconciler      Widgt of example.com/v1   Waiting   kind Widgt of example.com/v1 is not served; did you mean Widget?
wrong.ts   File                                      Failed    two lines
`);
});
