import { PriceBook } from '@agentflow/core';
import { Global, Module } from '@nestjs/common';
import { ModelPricesController } from './model-prices.controller.js';
import { ModelPricesRepository } from './model-prices.repository.js';
import { ModelPricesService } from './model-prices.service.js';

/** Global, because the one price book is for everybody who writes steps. */
@Global()
@Module({
  controllers: [ModelPricesController],
  providers: [ModelPricesService, ModelPricesRepository, PriceBook],
  exports: [PriceBook],
})
export class ModelPricesModule {}
