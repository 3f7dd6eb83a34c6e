import { describe } from 'vitest';
import { deadLettersConformance } from './dead-letters.conformance.ts';
import { MemoryDeadLetters } from './memory-dead-letters.ts';

describe('dead letters in memory', () => {
  deadLettersConformance(async () => new MemoryDeadLetters());
});
