import { Controller, Delete, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, AnswersNothing, Refuses, Summary } from '../http/answers.js';
import { PageQuery, byCreation, readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { CreateModelPriceDto } from './dto/model-price.dto.js';
import { ModelPricePage, ModelPriceResponse } from './dto/model-price.response.js';
import { ModelPricesService } from './model-prices.service.js';

@ApiTags('model prices')
@Controller('v1/model-prices')
export class ModelPricesController {
  constructor(private readonly prices: ModelPricesService) {}

  @Summary('Sets what the organization pays for a model, instead of the list price.')
  @PostOnce()
  @Allow('prices:manage')
  @Answers(201, ModelPriceResponse, 'The new price.')
  @Refuses('name_taken')
  create(@CurrentCaller() caller: Caller, @Body() body: CreateModelPriceDto) {
    return this.prices.create(caller, body);
  }

  @Summary('Lists the prices of the organization.')
  @Get()
  @Allow('prices:read')
  @Answers(200, ModelPricePage, 'One page of prices.')
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return readPage('model-prices', caller, query, byCreation, (slice) => this.prices.list(caller, slice));
  }

  @Summary('Shows one price.')
  @Get(':price_id')
  @Allow('prices:read')
  @Answers(200, ModelPriceResponse, 'The price.')
  get(@CurrentCaller() caller: Caller, @Param('price_id') id: string) {
    return this.prices.get(caller, id);
  }

  @Summary('Deletes a price. What steps cost by it stays.')
  @Delete(':price_id')
  @Allow('prices:manage')
  @AnswersNothing('The price is gone.')
  remove(@CurrentCaller() caller: Caller, @Param('price_id') id: string) {
    return this.prices.remove(caller, id);
  }
}
