import { expect, test } from 'vitest';
import { brokenLinear, type ShapePoint } from './shape-score.ts';

const shapeOf = (...points: [number, number][]): ShapePoint[] =>
  points.map(([utilization, score]) => ({ utilization, score }));

test.each<[ShapePoint[], [number, number][]]>([
  [
    shapeOf([10, 1], [90, 9]),
    [
      [-10, 1],
      [10, 1],
      [19, 1],
      [20, 2],
      [89, 8],
      [90, 9],
      [110, 9],
    ],
  ],
  [
    shapeOf([0, 2], [40, 10], [100, 0]),
    [
      [-10, 2],
      [20, 6],
      [30, 8],
      [40, 10],
      [70, 5],
      [100, 0],
      [110, 0],
    ],
  ],
  [
    shapeOf([0, 2], [100, 2]),
    [
      [0, 2],
      [70, 2],
      [110, 2],
    ],
  ],
])('interpolates a function through %j', (shape, values) => {
  const score = brokenLinear(shape);
  expect(values.map(([utilization]) => [utilization, score(utilization)])).toEqual(values);
});
