import { arrayAt, isObject, type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { fold, repeated } from './fold.ts';
import { lastSeen, type Trace } from './gather.ts';
import { invocationsText } from './invocation-text.ts';
import { plain, table } from './table.ts';
import { ageText } from './time-text.ts';

/** Formats a whole trace for a terminal. `now` is in milliseconds since 1970. */
export function traceText(traced: Trace, now: number): string {
  const { object, owners, dependents, events, invocations, notes } = traced;
  const head = [titleOf(object), ...owners.map((owner) => `  of ${titleOf(owner)}`), ...conditions(object)];
  const tree = dependents.map((dependent) => `${'  '.repeat(dependent.depth)}${titleOf(dependent.object)}`);
  return [
    head.join('\n'),
    section('Dependents', tree.join('\n')),
    section('Events', eventTable(events, now)),
    section(
      'Invocations',
      invocations.length === 0 ? '' : invocationsText(invocations, { logs: true, head: true, folded: true }),
    ),
    ...notes.map((note) => `Not known: ${note}`),
  ]
    .filter((part) => part !== '')
    .map((part) => `${part.trimEnd()}\n`)
    .join('\n');
}

const section = (title: string, text: string): string =>
  text === '' ? '' : `${title}\n${text.trimEnd().replaceAll(/^/gm, '  ')}`;

function titleOf(object: JsonObject): string {
  const namespace = namespaceOf(object);
  const generation = ownField(objectAt(object, 'metadata'), 'generation');
  const facts = [
    stringAt(object, 'apiVersion') ?? '',
    ...(typeof generation === 'number' ? [`generation ${generation}`] : []),
    ...(ownField(object, 'gone') === true ? ['gone'] : [`uid ${uidOf(object)}`]),
    ...(isDeleting(object) ? ['is being deleted'] : []),
  ];
  return plain(
    `${stringAt(object, 'kind') ?? ''} ${namespace === '' ? '' : `${namespace}/`}${nameOf(object)} (${facts.join(', ')})`,
  );
}

function conditions(object: JsonObject): string[] {
  return arrayAt(objectAt(object, 'status'), 'conditions')
    .filter(isObject)
    .map((one) => {
      const why = [stringAt(one, 'reason') ?? '', stringAt(one, 'message') ?? '']
        .filter((text) => text !== '')
        .join(': ');
      return plain(`${stringAt(one, 'type') ?? ''}=${stringAt(one, 'status') ?? ''}${why === '' ? '' : ` (${why})`}`);
    })
    .map((line) => `  ${line}`);
}

function eventTable(events: readonly JsonObject[], now: number): string {
  if (events.length === 0) return '';
  const rows = fold(events, (event) => JSON.stringify(factsOf(event)), countOf).map(({ item, count }) => [
    repeated(ageText(now - Date.parse(lastSeen(item))), count),
    ...factsOf(item),
  ]);
  return table([['AGE', 'TYPE', 'REASON', 'OBJECT', 'FROM', 'MESSAGE'], ...rows]);
}

/** The fields of an event other than its times and count. */
function factsOf(event: JsonObject): string[] {
  const regarding = objectAt(event, 'involvedObject');
  return [
    stringAt(event, 'type') ?? '',
    stringAt(event, 'reason') ?? '',
    `${stringAt(regarding, 'kind') ?? ''} ${stringAt(regarding, 'name') ?? ''}`,
    stringAt(event, 'reportingComponent') ?? '',
    stringAt(event, 'message') ?? '',
  ].map(plain);
}

/** The number of occurrences that the event records. */
function countOf(event: JsonObject): number {
  const count = ownField(objectAt(event, 'series'), 'count') ?? ownField(event, 'count');
  return typeof count === 'number' && count > 1 ? count : 1;
}
