/** DynamoDB costs: requests, and the units that are billed for them. */
export interface Units {
  readonly reads: number;
  readonly readUnits: number;
  readonly writes: number;
  readonly writeUnits: number;
}

/**
 * Units per API call on objects of at most 1 KB compressed, and per background task. `test/store/units.test.ts` counts them on DynamoDB
 * Local and verifies this table. Larger objects need one more write unit per compressed KB, both in the log and in the state.
 */
export const UNITS = {
  'warm get': { reads: 1, readUnits: 1, writes: 0, writeUnits: 0 },
  'warm list': { reads: 1, readUnits: 1, writes: 0, writeUnits: 0 },
  'warm get of a custom resource': { reads: 1, readUnits: 1, writes: 0, writeUnits: 0 },
  'warm create': { reads: 0, readUnits: 0, writes: 1, writeUnits: 1 },
  'warm update': { reads: 1, readUnits: 1, writes: 1, writeUnits: 1 },
  'warm patch': { reads: 1, readUnits: 1, writes: 1, writeUnits: 1 },
  'warm update that changes nothing': { reads: 1, readUnits: 1, writes: 0, writeUnits: 0 },
  'warm delete': { reads: 1, readUnits: 1, writes: 1, writeUnits: 1 },
  /** Once a second for each instance that serves requests. */
  'look at control': { reads: 1, readUnits: 1, writes: 0, writeUnits: 0 },
  /** For each new instance. Each 4 KB of compressed content in `control` adds one unit. */
  'load of control': { reads: 4, readUnits: 4, writes: 0, writeUnits: 0 },
  'cold get': { reads: 4, readUnits: 4, writes: 0, writeUnits: 0 },
  'cold get of a custom resource': { reads: 7, readUnits: 7, writes: 0, writeUnits: 0 },
  'checkpoint of one change': { reads: 3, readUnits: 3, writes: 2, writeUnits: 2 },
  'checkpoint, each further change': { reads: 0, readUnits: 0, writes: 1, writeUnits: 1 },
} as const satisfies Record<string, Units>;
