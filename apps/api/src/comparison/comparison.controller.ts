import { ComparisonService, type AlignedStep, type RunComparison } from '@agentflow/core';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Summary } from '../http/answers.js';
import { readPage } from '../http/page.js';
import { Param, Query } from '../http/request-parts.js';
import { CompareRunsQuery } from './dto/compare-runs.query.js';
import { RunComparisonResponse, type ComparisonPage } from './dto/run-comparison.response.js';

@ApiTags('runs')
@Controller('v1/runs/:run_id/compare')
export class ComparisonController {
  constructor(private readonly comparisons: ComparisonService) {}

  @Summary('Compares two runs: their steps side by side, and what differs.')
  @Get(':other_run_id')
  @Allow('runs:read')
  @Answers(200, RunComparisonResponse, 'What differs between the runs, and one page of their steps.')
  async compare(
    @CurrentCaller() caller: Caller,
    @Param('run_id') a: string,
    @Param('other_run_id') b: string,
    @Query() query: CompareRunsQuery,
  ): Promise<ComparisonPage> {
    let found: RunComparison | undefined;
    const list = `runs/${a}/compare/${b}`;
    const page = await readPage(list, caller, query, byPosition, async (slice) => {
      const { comparison, rows } = await this.comparisons.compare(caller, a, b, slice);
      found = comparison;
      return rows;
    });
    return { ...(found as RunComparison), ...page };
  }
}

const byPosition = ({ position }: AlignedStep): [number] => [position];
